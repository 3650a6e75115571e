// Makes the types of src/generated from the server's own schemas, which lie there as openapi.json and frames.json.
import { readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";
import openapiTS, { astToString } from "openapi-typescript";

const here = new URL("../src/generated/", import.meta.url);
const read = async (name) => JSON.parse(await readFile(new URL(name, here), "utf8"));

await writeFile(new URL("rest.d.ts", here), astToString(await openapiTS(await read("openapi.json"))));

const { $defs, title, $schema } = await read("frames.json");
// One root that names every definition, so that each becomes a type of its own.
const root = {
  $schema,
  title,
  type: "object",
  properties: Object.fromEntries(Object.keys($defs).map((name) => [name, { $ref: `#/$defs/${name}` }])),
  $defs: Object.fromEntries(Object.entries($defs).map(([name, schema]) => [name, { ...schema, title: name }])),
};
const types = await compile(root, "Frames", {
  additionalProperties: false,
  bannerComment: "/* Made from frames.json by tools/types.mjs. */",
  format: false,
  ignoreMinAndMaxItems: true,
});
await writeFile(new URL("frames.d.ts", here), types);
