// Shows what webhooks bring, and answers 204: node show.mjs [port]. Checks nothing, so it is for
// looking only; receiver/receiver.js is what to build on.
import { createServer } from "node:http";

const port = Number(process.argv[2] ?? 9000);

createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) {
    body += chunk;
  }
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\n`);
  console.log(`${request.method} ${request.url}\n${headers.join("")}\n${body}\n`);
  response.writeHead(204).end();
}).listen(port, "127.0.0.1", () => console.log(`waiting on http://127.0.0.1:${port}/\n`));
