/*
 * What a careful team writes by hand over ws: numbers per room without holes, one transaction a
 * message, the room's row locked meanwhile; a cursor per room when somebody comes back.
 *
 * Frames, JSON texts:
 *   {"t":"join","room","after"?}    -> what was missed, then {"t":"joined","room","head"}
 *   {"t":"send","room","id","text"} -> {"t":"ack","id","seq","dup"}; {"t":"busy","id"} when it failed
 *   {"t":"msg","room","seq","id","text"} to the room
 *
 * Frames of one socket are worked off one after the other, so a sender's order is kept. A message
 * goes to the room after its commit; the row lock makes commits come in the order of the numbers. A
 * room's readers who are catching up keep what comes live meanwhile until the past has been sent.
 *
 * Settings: bufferutil, no per-message deflate, one encoding per message and not per reader, pool of
 * 16, prepared statements, node-postgres' pipelining where nothing is decided between two statements
 * (three trips a message and not five), heartbeats as in the documentation of ws.
 */
import { createServer } from 'node:http';
import pg from 'pg';
import { WebSocketServer } from 'ws';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS rooms (name text PRIMARY KEY, head bigint NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE IF NOT EXISTS messages (
    room text NOT NULL,
    seq bigint NOT NULL,
    client_id text NOT NULL,
    content text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (room, seq),
    UNIQUE (room, client_id)
  )`;
const MAKE = statement('make', 'INSERT INTO rooms VALUES ($1, 0) ON CONFLICT DO NOTHING');
const HEAD = statement('head', 'SELECT head FROM rooms WHERE name = $1');
const LOCK = statement('lock', 'SELECT head FROM rooms WHERE name = $1 FOR UPDATE');
const STORE = statement(
  'store',
  `INSERT INTO messages (room, seq, client_id, content) VALUES ($1, $2, $3, $4)
   ON CONFLICT (room, client_id) DO NOTHING`,
);
const BUMP = statement('bump', 'UPDATE rooms SET head = $2 WHERE name = $1');
const FIRST = statement('first', 'SELECT seq FROM messages WHERE room = $1 AND client_id = $2');
const PAGE = statement(
  'page',
  'SELECT seq, client_id, content FROM messages WHERE room = $1 AND seq > $2 AND seq <= $3 ORDER BY seq',
);
const BEGIN = statement('begin', 'BEGIN');
const COMMIT = statement('commit', 'COMMIT');
const HEARTBEAT_MS = 25_000;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16, pipeline: true });
await pool.query(SCHEMA);

/** room -> socket -> what waits for a reader that is catching up, or null for one that is live. */
const rooms = new Map();

function statement(name, text) {
  return (...values) => ({ name, text, values });
}

async function accept(room, id, text) {
  const client = await pool.connect();
  let broken;
  try {
    const [, locked] = await Promise.all([client.query(BEGIN()), client.query(LOCK(room))]);
    if (locked.rowCount === 0) {
      await client.query('ROLLBACK');
      throw new Error('no such room');
    }
    const seq = Number(locked.rows[0].head) + 1;
    const stored = await client.query(STORE(room, seq, id, text));
    if (stored.rowCount === 1) {
      const [, ended] = await Promise.all([client.query(BUMP(room, seq)), client.query(COMMIT())]);
      if (ended.command !== 'COMMIT') {
        throw new Error('rolled back');
      }
      return { seq, duplicate: false };
    }
    const [first] = await Promise.all([client.query(FIRST(room, id)), client.query(COMMIT())]);
    return { seq: Number(first.rows[0].seq), duplicate: true };
  } catch (error) {
    broken = error; // the connection is given up rather than brought back in some state
    throw error;
  } finally {
    client.release(broken);
  }
}

function announce(room, seq, id, text) {
  const frame = Buffer.from(JSON.stringify({ t: 'msg', room, seq, id, text }));
  for (const [socket, waiting] of rooms.get(room) ?? []) {
    if (waiting === null) {
      socket.send(frame, { binary: false });
    } else {
      waiting.push({ seq, frame });
    }
  }
}

async function join(socket, room, after) {
  let members = rooms.get(room);
  if (members === undefined) {
    await pool.query(MAKE(room));
    members = rooms.get(room) ?? new Map();
    rooms.set(room, members);
  }
  const waiting = [];
  members.set(socket, waiting);
  socket.rooms.add(room);
  const head = Number((await pool.query(HEAD(room))).rows[0].head);
  if (after !== undefined && after < head) {
    const missed = await pool.query(PAGE(room, after, head));
    for (const row of missed.rows) {
      const message = { t: 'msg', room, seq: Number(row.seq), id: row.client_id, text: row.content };
      socket.send(JSON.stringify(message));
    }
  }
  socket.send(JSON.stringify({ t: 'joined', room, head }));
  for (const { seq, frame } of waiting) {
    if (seq > head) {
      socket.send(frame, { binary: false });
    }
  }
  if (socket.readyState === socket.OPEN) {
    members.set(socket, null);
  } else {
    members.delete(socket); // its close may have come before
  }
}

async function send(socket, room, id, text) {
  let accepted;
  try {
    accepted = await accept(room, id, text);
  } catch (error) {
    console.error(error.message);
    socket.send(JSON.stringify({ t: 'busy', id }));
    return;
  }
  if (!accepted.duplicate) {
    announce(room, accepted.seq, id, text);
  }
  socket.send(JSON.stringify({ t: 'ack', id, seq: accepted.seq, dup: accepted.duplicate }));
}

async function work(socket) {
  while (socket.frames.length > 0) {
    const frame = JSON.parse(socket.frames[0]);
    if (frame.t === 'join') {
      await join(socket, frame.room, frame.after);
    } else if (frame.t === 'send') {
      await send(socket, frame.room, frame.id, frame.text);
    }
    socket.frames.shift();
  }
}

function leave(socket) {
  for (const room of socket.rooms) {
    rooms.get(room).delete(socket);
  }
}

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket) => {
  socket.rooms = new Set();
  socket.frames = [];
  socket.alive = true;
  socket.on('pong', () => (socket.alive = true));
  socket.on('error', () => socket.terminate());
  socket.on('close', () => leave(socket));
  socket.on('message', (data) => {
    if (socket.frames.push(data) === 1) {
      work(socket).catch((error) => {
        console.error(error.message);
        socket.terminate();
      });
    }
  });
});
setInterval(() => {
  for (const socket of sockets.clients) {
    if (!socket.alive) {
      socket.terminate();
    } else {
      socket.alive = false;
      socket.ping();
    }
  }
}, HEARTBEAT_MS).unref();

process.on('SIGTERM', () => process.exit(0));
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.log(JSON.stringify({ ready: true, port: server.address().port }));
});
