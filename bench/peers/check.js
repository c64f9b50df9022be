/*
 * By hand: `node check.js DIRECTORY DATABASE_URL` starts the peer on the (empty) database and asks of
 * it what the benchmark does: join, send, repeat, be cut off, come back.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const [directory, url] = process.argv.slice(2);
const { WebSocket } = createRequire(`${process.cwd()}/${directory}/`)('ws');

const wires = {
  socketio: {
    path: '/socket.io/?EIO=4&transport=websocket',
    /** The frames that a new connection sends; auth is what the last one left. */
    hello: (last) => [`40${JSON.stringify(last)}`],
    join: (room) => `421["join","${room}"]`,
    send: (room, id, text) => `422${JSON.stringify(['send', room, text, id])}`,
    read(text) {
      if (text.startsWith('0')) return { kind: 'open' };
      if (text === '2') return { kind: 'ping', answer: '3' };
      if (text.startsWith('40')) return { kind: 'ready', ...JSON.parse(text.slice(2)) };
      if (text.startsWith('431')) return { kind: 'joined' };
      if (text.startsWith('432')) {
        return { kind: 'ack', duplicate: JSON.parse(text.slice(3))[0] === 'duplicate' };
      }
      const [, room, body, id, no, offset] = JSON.parse(text.slice(2));
      return { kind: 'message', room, text: body, id, no, offset };
    },
  },
  byhand: {
    path: '/',
    hello: () => [],
    join: (room, last) => JSON.stringify({ t: 'join', room, after: last.after }),
    send: (room, id, text) => JSON.stringify({ t: 'send', room, id, text }),
    read(text) {
      const { t, ...rest } = JSON.parse(text);
      const kind = { joined: 'joined', ack: 'ack', msg: 'message', busy: 'refused' }[t];
      return { kind, duplicate: rest.dup, no: rest.seq, ...rest };
    },
  },
};
const wire = wires[directory];

async function connect(port, last = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${wire.path}`);
  const heard = [];
  socket.on('message', (data) => {
    const frame = wire.read(String(data));
    if (frame.answer) socket.send(frame.answer);
    heard.push(frame);
    socket.emit('heard');
  });
  await once(socket, 'open');
  const take = async (kind) => {
    for (;;) {
      const at = heard.findIndex((frame) => frame.kind === kind);
      if (at >= 0) return heard.splice(at, 1)[0];
      await once(socket, 'heard');
    }
  };
  for (const frame of wire.hello(last)) socket.send(frame);
  const ready = directory === 'socketio' ? await take('ready') : {};
  return { socket, heard, take, ready };
}

const peer = spawn('node', ['server.js'], {
  cwd: directory,
  env: { ...process.env, DATABASE_URL: url, PORT: '0', NODE_ENV: 'production' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const lines = createInterface({ input: peer.stdout });
const { ready, port } = JSON.parse((await once(lines, 'line'))[0]);
assert.equal(ready, true);

const ann = await connect(port);
ann.socket.send(wire.join('r', {}));
await ann.take('joined');
const ben = await connect(port);
ben.socket.send(wire.join('r', {}));
await ben.take('joined');

ann.socket.send(wire.send('r', 'k1', 'one'));
assert.equal((await ann.take('ack')).duplicate, false);
const one = await ben.take('message');
assert.deepEqual([one.room, one.id, one.text], ['r', 'k1', 'one']);
assert.equal((await ann.take('message')).id, 'k1');

ann.socket.send(wire.send('r', 'k1', 'one'));
assert.equal((await ann.take('ack')).duplicate, true);

ben.socket.terminate();
const missed = ['k2', 'k3'];
for (const key of missed) {
  ann.socket.send(wire.send('r', key, key));
  assert.equal((await ann.take('ack')).duplicate, false);
}
const states =
  directory === 'socketio'
    ? {
        recovered: { serverOffset: one.no, pid: ben.ready.pid, offset: one.offset },
        replayed: { serverOffset: one.no },
      }
    : { replayed: { after: one.no } };
for (const [name, last] of Object.entries(states)) {
  const back = await connect(port, last);
  if (name === 'recovered') {
    assert.equal(back.ready.pid, ben.ready.pid);
  } else {
    back.socket.send(wire.join('r', last));
    await back.take('joined');
  }
  for (const key of missed) {
    assert.equal((await back.take('message')).id, key);
  }
  missed.push(`live after ${name}`);
  ann.socket.send(wire.send('r', missed.at(-1), 'x'));
  assert.equal((await back.take('message')).id, missed.at(-1));
  assert.deepEqual(back.heard.filter((frame) => frame.kind === 'message'), []);
  back.socket.terminate();
}

peer.kill('SIGTERM');
await once(peer, 'exit');
console.log(`${directory}: as it should be`);
process.exit(0);
