// 100 readers of one stream, and one that never reads; says when each line came in, by the machine's own clock.
import { connect } from 'node:net';

const [port, count] = process.argv.slice(2).map(Number);
const arrived = [];
let open = 0;

function follow() {
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'));
  let rest = '';
  let isOpen = false;
  socket.on('data', (bytes) => {
    const at = process.hrtime.bigint().toString();
    rest += bytes.toString('latin1');
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, seq] = /^id: \w+:(\d+)/.exec(line) ?? [];
      if (seq !== undefined) arrived.push({ seq: Number(seq), at });
      if (!isOpen && line.startsWith('event: session.updated')) {
        isOpen = true;
        open += 1;
        if (open === count) process.send({ arrived: [] });
      }
    }
  });
  socket.on('error', () => undefined);
}

for (let client = 0; client < count; client += 1) follow();
const idle = connect(port, '127.0.0.1', () => idle.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'));
idle.pause();
idle.on('error', () => undefined);

process.on('message', () => process.send({ arrived }, () => process.exit(0)));
