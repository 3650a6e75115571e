// Writes each play with the referee's own script. The keys and arguments of its calls were prepared, command by command;
// when a play arrived, which nobody can know beforehand, is put in here. What comes in one turn of the event loop, ioredis
// sends together.

import { readFileSync } from "node:fs";

import { Redis } from "ioredis";

const ARRIVED = 4 + 4 + 6; // its place: behind the keys, what the whole call says, and six arguments of the command

/** A function for `TableRoom`: it fails if the script decides otherwise than the room did. */
export function committing(redisUrl, script) {
  const redis = new Redis(redisUrl, { enableAutoPipelining: true });
  redis.defineCommand("referee", { numberOfKeys: 4, lua: readFileSync(script, "utf8") });

  return async (prepared, verdict) => {
    const [[status]] = await redis.referee(...prepared.with(ARRIVED, String(Date.now())));
    if (status !== verdict.v) throw new Error(`the script says ${status}, not ${verdict.v}: ${prepared}`);
  };
}
