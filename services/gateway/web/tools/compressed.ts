// Compresses what was built, once, so that no request ever waits for it; and says what a first visit loads.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest)$/;
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Writes `name.br` and `name.gz` beside each file of the build that gets smaller by it. */
export function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    async writeBundle(options) {
      const folder = options.dir ?? "dist";
      const names = await readdir(folder, { recursive: true });
      await Promise.all(names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(join(folder, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  for (const [suffix, smaller] of [
    ["br", await brotli(content, { params })],
    ["gz", await gzipped(content, { level: 9 })],
  ] as const) {
    if (smaller.length < content.length * 0.9) await writeFile(`${path}.${suffix}`, smaller);
  }
}
