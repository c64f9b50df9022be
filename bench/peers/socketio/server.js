/*
 * What one builds with Socket.IO 4.8 by its own documentation: the tutorial's exactly-once recipe
 * (steps 6 to 8: connection state recovery, server delivery, client delivery), on PostgreSQL.
 *
 * - One INSERT … ON CONFLICT DO NOTHING a message; its id, an offset of the client's, is UNIQUE.
 *   First the row, then the room, then the sender's acknowledgement.
 * - Recovery by the adapter in memory, which is the only one that recovers without a broker. It works
 *   within one process, so there is one process.
 * - Who was not recovered gets what the table has after the offset of its handshake.
 *
 * Settings from "Performance tuning": bufferutil (utf-8-validate is built into Node), no per-message
 * deflate, the first HTTP request let go; and WebSocket alone, no client served. Statements are
 * prepared. The addition to the recipe is rooms.
 */
import { createServer } from 'node:http';
import pg from 'pg';
import { Server } from 'socket.io';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (
    id bigserial PRIMARY KEY,
    client_offset text UNIQUE,
    room text NOT NULL,
    content text NOT NULL
  )`;

const INSERT = {
  name: 'insert',
  text: `INSERT INTO messages (client_offset, room, content) VALUES ($1, $2, $3)
         ON CONFLICT (client_offset) DO NOTHING RETURNING id`,
};

const MISSED = {
  name: 'missed',
  text: `SELECT id, client_offset, room, content FROM messages
          WHERE id > $1 AND room = ANY ($2) ORDER BY id`,
};

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
await pool.query(SCHEMA);

const server = createServer();
const io = new Server(server, {
  transports: ['websocket'],
  serveClient: false,
  perMessageDeflate: false,
  connectionStateRecovery: { maxDisconnectionDuration: 2 * 60 * 1000, skipMiddlewares: true },
});
io.engine.on('connection', (raw) => {
  raw.request = null;
});

io.on('connection', (socket) => {
  const { serverOffset = 0 } = socket.handshake.auth;

  socket.on('join', async (room, done) => {
    try {
      await socket.join(room);
      // Those who were recovered have their rooms and what they missed already.
      if (!socket.recovered) {
        await replay(socket, room, serverOffset);
      }
      done();
    } catch (error) {
      report(error); // no acknowledgement: the client asks again
    }
  });

  socket.on('send', async (room, content, clientOffset, done) => {
    let result;
    try {
      result = await pool.query({ ...INSERT, values: [clientOffset, room, content] });
    } catch (error) {
      report(error); // no acknowledgement: the client sends again
      return;
    }
    if (result.rowCount === 0) {
      done('duplicate');
      return;
    }
    io.to(room).emit('message', room, content, clientOffset, Number(result.rows[0].id));
    done('accepted');
  });
});

async function replay(socket, room, after) {
  const missed = await pool.query({ ...MISSED, values: [after, [room]] });
  for (const row of missed.rows) {
    socket.emit('message', row.room, row.content, row.client_offset, Number(row.id));
  }
}

function report(error) {
  console.error(error.message);
}

process.on('SIGTERM', () => process.exit(0));
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.log(JSON.stringify({ ready: true, port: server.address().port }));
});
