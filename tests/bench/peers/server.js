// node server.js PORT HANDS [REDIS_URL SCRIPT.lua]: rooms for the hands in that folder, one file each; with a Redis each
// play is written there before anybody hears of it.

import { Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";

import { committing } from "./commit.js";
import { TableRoom } from "./room.js";

const [port, folder, redisUrl, script] = process.argv.slice(2);
const commit = redisUrl ? committing(redisUrl, script) : null;

// A play that could not be written must not go unnoticed: the room's state is ahead of the log then.
process.on("unhandledRejection", (error) => {
  console.error(error);
  process.exit(1);
});

const server = new Server({ transport: new WebSocketTransport(), greet: false, gracefullyShutdown: false });
server.define("table", TableRoom, { folder, commit });
await server.listen(Number(port), "127.0.0.1");
