/*
 * graphile-worker draining jobs to a receiver, one POST each.
 *
 * Settings of its "Performance" page: 24 jobs at once on a pool of 25, a local queue of 500, jobs
 * completed in batches (completeJobBatchDelay 0). No named queues: they would keep a room's order, and
 * cost; so the peer is faster than one that did what Postroom does.
 */
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Pool } from 'undici';
import { handOver, pieces, steered } from '../events.js';

const preset = {
  worker: {
    connectionString: process.env.DATABASE_URL,
    concurrentJobs: 24,
    maxPoolSize: 25,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  },
};
const logger = new Logger(() => (level, message) => {
  if (level === 'error') {
    console.error(message);
  }
});

const utils = await makeWorkerUtils({ preset, logger });
await utils.migrate();
let runner;
let pool;

steered({
  async fill(payloads) {
    for (const some of pieces(payloads, 5_000)) {
      await utils.addJobs(some.map((payload) => ({ identifier: 'hand_over', payload })));
    }
    await utils.withPgClient((client) => client.query('VACUUM ANALYZE'));
  },
  async drain(to) {
    pool = new Pool(to.origin, { connections: preset.worker.concurrentJobs });
    const path = to.pathname;
    runner = await run({ preset, logger, taskList: { hand_over: (data) => handOver(pool, path, data) } });
  },
  async rest() {
    await runner.stop();
    await pool.close();
  },
});
