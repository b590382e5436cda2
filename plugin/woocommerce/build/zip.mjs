import { readFileSync } from "node:fs";
import path from "node:path";
import { zipSync } from "fflate";
import { bundle, bundleNames } from "./bundles.mjs";
import { languageFiles } from "./languages.mjs";
import { filesBelow } from "./texts.mjs";

const folder = "tillgate-for-woocommerce";
/** Modification time of all files, fixed for reproducible builds. */
const fixedTime = new Date(2026, 0, 1);

/**
 * @param {string} packageFolder folder of this package
 * @param {Record<string, number>} currencies decimals by code
 * @returns {Promise<Map<string, string | Uint8Array>>} contents by path in the zip
 */
export async function pluginFiles(packageFolder, currencies) {
  const files = new Map();
  const source = path.join(packageFolder, "src");
  for (const file of filesBelow(source, "")) files.set(path.relative(source, file), readFileSync(file));
  for (const name of bundleNames) {
    const { script, asset } = await bundle(packageFolder, name);
    files.set(`assets/${name}.js`, script);
    files.set(`assets/${name}.asset.php`, asset);
  }
  // WordPress.org requires the source of built scripts.
  for (const folder of [
    path.join(packageFolder, "client"),
    path.join(packageFolder, "../../packages/qr/src"),
  ])
    for (const file of filesBelow(folder, ".ts"))
      files.set(`source/${path.basename(file)}`, readFileSync(file));
  for (const name of ["transitions.json", "comparison.json"])
    files.set(`rules/${name}`, readFileSync(path.join(packageFolder, "../rules", name)));
  files.set("rules/currencies.json", `${JSON.stringify(currencies)}\n`);
  for (const [name, content] of languageFiles(packageFolder)) files.set(`languages/${name}`, content);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {Map<string, string | Uint8Array>} files @param {string} [name] folder in the zip */
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
