/*
 * pg-boss draining jobs to a receiver, one POST each.
 *
 * Settings of its "Workers" page: batches, fetched again at once while they come back full
 * (burstWhenBatchFull), several workers (localConcurrency), a batch settled as one. Within a batch 24
 * requests at once, as the other peer has. Its supervision is left on, as in service.
 */
import { PgBoss } from 'pg-boss';
import { Pool } from 'undici';
import { handOver, pieces, steered } from '../events.js';

const QUEUE = 'hand_over';
const BATCH = 500;
const WORKERS = 2;
const REQUESTS = 24;

const boss = new PgBoss({ connectionString: process.env.DATABASE_URL, max: 16 });
boss.on('error', (error) => console.error(error.message));
await boss.start();
await boss.createQueue(QUEUE);
let pool;

steered({
  async fill(payloads) {
    for (const some of pieces(payloads, 5_000)) {
      await boss.insert(QUEUE, some.map((data) => ({ data })));
    }
    await boss.getDb().executeSql('VACUUM ANALYZE');
  },
  async drain(to) {
    pool = new Pool(to.origin, { connections: REQUESTS });
    const options = {
      batchSize: BATCH,
      localConcurrency: WORKERS,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
    };
    await boss.work(QUEUE, options, (jobs) =>
      Promise.all(jobs.map((job) => handOver(pool, to.pathname, job.data))),
    );
  },
  async rest() {
    await boss.offWork(QUEUE);
    await pool.close();
  },
});
