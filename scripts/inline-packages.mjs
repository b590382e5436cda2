/**
 * The second half of the build of a package that is published: puts the built packages of this repository that it needs beside it, and
 * lets every import lead there. What is published then needs nothing that is on no registry, code and types alike.
 * Usage, in the folder of the package: `node ../../scripts/inline-packages.mjs contract money`.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const dist = resolve("dist");
const packages = fileURLToPath(new URL("../packages/", import.meta.url));
const manifest = resolve("package.json");
const { dependencies } = JSON.parse(readFileSync(manifest, "utf8"));
const { resolve: find } = createRequire(manifest);
const folders = process.argv.slice(2);

for (const folder of folders) {
  rmSync(join(dist, folder), { recursive: true, force: true });
  cpSync(join(packages, folder, "dist"), join(dist, folder), {
    recursive: true,
    filter: (path) => {
      const [, , first] = relative(packages, path).split(sep);
      // What was put beside an inlined package itself is beside this one too: once is enough.
      return !folders.includes(first ?? "");
    },
  });
}

const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
const isInlined = (file) => folders.includes(relative(dist, file).split(sep)[0] ?? "");
const isOutside = (folder, file) => relative(folder, file).startsWith("..");

/** Where an import leads now: a name into its folder, and what an inlined package had beside itself to the same beside this one. */
function ledTo(file, imported) {
  const [name, folder] = /^@tillgate\/([\w-]+)/.exec(imported) ?? [];
  if (name !== undefined) {
    if (name in dependencies) return undefined;
    if (!folders.includes(folder)) throw new Error(`${file} imports ${imported}, which is not published`);
    const [, , ...path] = relative(packages, find(imported)).split(sep);
    return join(dist, folder, ...path);
  }
  if (!imported.startsWith(".")) return undefined;
  const path = resolve(dirname(file), imported);
  const [, nested, ...rest] = relative(dist, path).split(sep);
  return !existsSync(path) && folders.includes(nested ?? "") ? join(dist, nested ?? "", ...rest) : undefined;
}

/** Puts a file that the code reads, and that lies outside of the package, into it. @returns where it is read now */
function broughtIn(file, read) {
  const path = resolve(dirname(file), read);
  if (!isOutside(resolve("."), path)) return undefined;
  const target = join(dist, basename(dirname(path)), basename(path));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(path, target);
  return target;
}

for (const file of filesOf(dist)) {
  // It would lead to sources that are not there.
  if (file.endsWith(".map")) rmSync(file);
  if (!/\.(js|d\.ts)$/.test(file)) continue;
  const led = (unchanged, target) => {
    if (target === undefined) return unchanged;
    const path = relative(dirname(file), target).split(sep).join("/");
    return path.startsWith(".") ? path : `./${path}`;
  };
  const text = readFileSync(file, "utf8")
    .replace(/\n\/\/# sourceMappingURL=.*/g, "")
    .replace(
      /(["'])(@tillgate\/[\w/-]+|\.[\w./-]+\.js)\1/g,
      (_, quote, path) => quote + led(path, ledTo(file, path)) + quote,
    )
    .replace(/(?<=new URL\(")[^"]+(?=", import\.meta\.url\))/g, (path) => led(path, broughtIn(file, path)));
  writeFileSync(file, text);
}

/** What a file imports, by name or by path. */
const importsOf = (file) =>
  [...readFileSync(file, "utf8").matchAll(/\b(?:from |import |import\()"([\w@./:-]+)"/g)].map(
    ([, path = ""]) => path,
  );
const besideOf = (file, path) =>
  resolve(dirname(file), file.endsWith(".d.ts") ? path.replace(/\.js$/, ".d.ts") : path);

/** Of the inlined packages only what is used from outside of them stays; with it, what this package has to depend on. */
const isCode = (file) => /\.(js|d\.ts)$/.test(file);
const used = new Set(filesOf(dist).filter((file) => isCode(file) && !isInlined(file)));
for (const file of used) {
  for (const path of importsOf(file)) {
    if (path.startsWith(".")) used.add(besideOf(file, path));
    else if (!isBuiltin(path) && !Object.keys(dependencies).some((name) => `${path}/`.startsWith(`${name}/`)))
      throw new Error(`${file} imports ${path}, on which the package does not depend`);
  }
}
for (const file of filesOf(dist)) if (isCode(file) && isInlined(file) && !used.has(file)) rmSync(file);
