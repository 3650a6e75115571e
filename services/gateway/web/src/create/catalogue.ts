// The server's house rules, asked for once.
import { type HouseRules, rest } from "../net/rest";

let asked: Promise<HouseRules> | null = null;

/** Which rules there are. Where the server can't be reached, the next one to ask tries again. */
export function catalogue(): Promise<HouseRules> {
  asked ??= rest.options().catch((problem: unknown) => {
    asked = null;
    throw problem;
  });
  return asked;
}
