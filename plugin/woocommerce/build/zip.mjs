import { readFileSync } from "node:fs";
import path from "node:path";
import { zipSync } from "fflate";
import { bundle, bundleNames } from "./bundles.mjs";
import { languageFiles } from "./languages.mjs";
import { filesBelow } from "./texts.mjs";

const folder = "tillgate-for-woocommerce";
/** No time of the machine that builds is in the zip: the same sources make the same bytes. */
const fixedTime = new Date(2026, 0, 1);

/**
 * Everything that the zip holds, by its path in it.
 *
 * @param {string} room the folder of the plugin
 * @param {Record<string, number>} currencies digits by code
 * @returns {Promise<Map<string, string | Uint8Array>>}
 */
export async function pluginFiles(room, currencies) {
  const files = new Map();
  const source = path.join(room, "src");
  for (const file of filesBelow(source, "")) files.set(path.relative(source, file), readFileSync(file));
  for (const name of bundleNames) {
    const { script, asset } = await bundle(room, name);
    files.set(`assets/${name}.js`, script);
    files.set(`assets/${name}.asset.php`, asset);
  }
  // The readable source of the built scripts, which the directory of WordPress asks for.
  for (const folder of [path.join(room, "client"), path.join(room, "../../packages/qr/src")])
    for (const file of filesBelow(folder, ".ts"))
      files.set(`source/${path.basename(file)}`, readFileSync(file));
  for (const name of ["transitions.json", "comparison.json"])
    files.set(`rules/${name}`, readFileSync(path.join(room, "../rules", name)));
  files.set("rules/currencies.json", `${JSON.stringify(currencies)}\n`);
  for (const [name, content] of languageFiles(room)) files.set(`languages/${name}`, content);
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * @param {Map<string, string | Uint8Array>} files
 * @param {string} [name] the folder of the plugin in the zip
 */
export function zipOf(files, name = folder) {
  const encoder = new TextEncoder();
  const entries = [...files].map(([file, content]) => [
    `${name}/${file}`,
    [
      typeof content === "string" ? encoder.encode(content) : new Uint8Array(content),
      { mtime: fixedTime, level: 9 },
    ],
  ]);
  return zipSync(Object.fromEntries(entries));
}
