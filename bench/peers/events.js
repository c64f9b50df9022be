/*
 * What the peers of the relay scenario share, so that all send the same: one POST an event, a signed
 * CloudEvent as Postroom's webhooks are; and the two calls by which the benchmark steers them.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

const KEY = Buffer.from('MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', 'base64');

/** What a job holds: the message, as an application's table has it. `n` from 0. */
export function payload(n, rooms, text) {
  const seq = Math.floor(n / rooms) + 1;
  return {
    room: `r${n % rooms}`,
    epoch: 'k3-1',
    seq,
    messageId: `0190a1b2-0000-7000-8000-${String(n).padStart(12, '0')}`,
    clientMessageId: `k${seq}`,
    author: { id: 'ann', name: 'Ann' },
    text,
    acceptedAt: '2026-03-04T05:06:07.089Z',
  };
}

/**
 * Hands one event over: resolves at a 2xx, fails otherwise.
 *
 * @param pool an undici Pool of the receiver
 */
export async function handOver(pool, path, data) {
  const id = `${data.room}:${data.epoch}:${data.seq}`;
  const body = JSON.stringify({
    specversion: '1.0',
    id,
    source: `/rooms/${data.room}`,
    type: 'dev.postroom.message.accepted.v1',
    time: data.acceptedAt,
    partitionkey: data.room,
    sequence: String(data.seq).padStart(16, '0'),
    datacontenttype: 'application/json',
    data,
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
  const answer = await pool.request({
    path,
    method: 'POST',
    headers: {
      'content-type': 'application/cloudevents+json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  await answer.body.dump();
  if (answer.statusCode >= 300) {
    throw new Error(`answered ${answer.statusCode}`);
  }
}

/**
 * Answers `POST /fill?events=N&rooms=N&bytes=N` when the jobs stand in the database,
 * `POST /drain?to=URL` when working them off has begun, and `POST /rest` when it has ended.
 */
export function steered({ fill, drain, rest }) {
  const calls = {
    '/fill': (query) => {
      const [events, rooms, bytes] = ['events', 'rooms', 'bytes'].map((n) => Number(query.get(n)));
      const text = 'x'.repeat(bytes);
      return fill(Array.from({ length: events }, (_, n) => payload(n, rooms, text)));
    },
    '/drain': (query) => drain(new URL(query.get('to'))),
    '/rest': rest,
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://peer');
    try {
      await calls[pathname](searchParams);
      response.writeHead(204).end();
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });
  process.on('SIGTERM', () => process.exit(0));
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
    console.log(JSON.stringify({ ready: true, port: server.address().port }));
  });
}

/** The array in pieces of so many. */
export function pieces(array, size) {
  return Array.from({ length: Math.ceil(array.length / size) }, (_, n) =>
    array.slice(n * size, (n + 1) * size),
  );
}
