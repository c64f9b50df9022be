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
 * goes to the room after its commit, in the order of the numbers. What comes live for a reader who is
 * catching up is kept until the past has been sent.
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

/**
 * By name: the readers by their sockets, each with what waits while it catches up (null: it is live)
 * and the head up to which it was sent the past; and those who have, or had, the row's lock, in turn.
 */
const rooms = new Map();

function statement(name, text) {
  return (...values) => ({ name, text, values });
}

async function accept(room, id, text) {
  const client = await pool.connect();
  const turn = { over: false, frame: undefined };
  let broken;
  try {
    const [, locked] = await Promise.all([client.query(BEGIN()), client.query(LOCK(room.name))]);
    room.turns.push(turn);
    const seq = Number(locked.rows[0].head) + 1;
    const stored = await client.query(STORE(room.name, seq, id, text));
    if (stored.rowCount === 0) {
      const [first] = await Promise.all([client.query(FIRST(room.name, id)), client.query(COMMIT())]);
      return { seq: Number(first.rows[0].seq), duplicate: true };
    }
    const [, ended] = await Promise.all([client.query(BUMP(room.name, seq)), client.query(COMMIT())]);
    if (ended.command !== 'COMMIT') {
      throw new Error('rolled back');
    }
    turn.seq = seq;
    turn.frame = Buffer.from(JSON.stringify({ t: 'msg', room: room.name, seq, id, text }));
    return { seq, duplicate: false };
  } catch (error) {
    broken = error; // the connection is given up rather than brought back in some state
    throw error;
  } finally {
    client.release(broken);
    turn.over = true;
    announce(room);
  }
}

/**
 * To the room in the order in which its row was locked: the lock is let go of before the word of the
 * commit is sent, so the next one's may be here earlier.
 */
function announce(room) {
  while (room.turns[0]?.over) {
    const { seq, frame } = room.turns.shift();
    if (frame === undefined) {
      continue;
    }
    for (const [socket, reader] of room.readers) {
      if (reader.waiting !== null) {
        reader.waiting.push({ seq, frame });
      } else if (seq > reader.head) {
        socket.send(frame, { binary: false });
      }
    }
  }
}

async function join(socket, name, after) {
  let room = rooms.get(name);
  if (room === undefined) {
    await pool.query(MAKE(name));
    room = rooms.get(name) ?? { name, readers: new Map(), turns: [] };
    rooms.set(name, room);
  }
  const reader = { waiting: [], head: 0 };
  room.readers.set(socket, reader);
  socket.rooms.add(room);
  reader.head = Number((await pool.query(HEAD(name))).rows[0].head);
  if (after !== undefined && after < reader.head) {
    const missed = await pool.query(PAGE(name, after, reader.head));
    for (const row of missed.rows) {
      const seq = Number(row.seq);
      const message = { t: 'msg', room: name, seq, id: row.client_id, text: row.content };
      socket.send(JSON.stringify(message));
    }
  }
  socket.send(JSON.stringify({ t: 'joined', room: name, head: reader.head }));
  for (const { seq, frame } of reader.waiting) {
    if (seq > reader.head) {
      socket.send(frame, { binary: false });
    }
  }
  reader.waiting = null;
  if (socket.readyState !== socket.OPEN) {
    room.readers.delete(socket); // its close may have come before
  }
}

async function send(socket, name, id, text) {
  let answer;
  try {
    const { seq, duplicate } = await accept(rooms.get(name), id, text);
    answer = { t: 'ack', id, seq, dup: duplicate };
  } catch (error) {
    console.error(error.message);
    answer = { t: 'busy', id };
  }
  socket.send(JSON.stringify(answer));
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
    room.readers.delete(socket);
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
