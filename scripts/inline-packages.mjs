/**
 * Second build step of a published package: copies the workspace packages that it imports into its dist folder and rewrites the imports, so that the
 * published package depends only on registry packages.
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
      // Packages inlined into this package itself are copied once, at the top level.
      return !folders.includes(first ?? "");
    },
  });
}

const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
const isInlined = (file) => folders.includes(relative(dist, file).split(sep)[0] ?? "");
const isOutside = (folder, file) => relative(folder, file).startsWith("..");

/**
 * Returns the new target of an import; undefined if the import stays as it is. A package name resolves to its inlined folder, and a nested copy of a
 * package to the top-level copy.
 * @throws Error for a Tillgate package that is neither inlined nor a dependency.
 */
function resolveInlined(file, imported) {
  const [name, folder] = /^@tillgate\/([\w-]+)/.exec(imported) ?? [];
  if (name !== undefined) {
    if (name in dependencies) return undefined;
    if (!folders.includes(folder))
      throw new Error(`${file} imports ${imported}, which is neither inlined nor a dependency.`);
    const [, , ...path] = relative(packages, find(imported)).split(sep);
    return join(dist, folder, ...path);
  }
  if (!imported.startsWith(".")) return undefined;
  const path = resolve(dirname(file), imported);
  const [, nested, ...rest] = relative(dist, path).split(sep);
  return !existsSync(path) && folders.includes(nested ?? "") ? join(dist, nested ?? "", ...rest) : undefined;
}

/** Copies into `dist` a file that the code reads from outside the package. @returns the path of the copy; undefined for a file inside the package */
function copyIntoPackage(file, reference) {
  const path = resolve(dirname(file), reference);
  if (!isOutside(resolve("."), path)) return undefined;
  const target = join(dist, basename(dirname(path)), basename(path));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(path, target);
  return target;
}

for (const file of listFiles(dist)) {
  // The sources are not published.
  if (file.endsWith(".map")) rmSync(file);
  if (!/\.(js|d\.ts)$/.test(file)) continue;
  const rewrite = (unchanged, target) => {
    if (target === undefined) return unchanged;
    const path = relative(dirname(file), target).split(sep).join("/");
    return path.startsWith(".") ? path : `./${path}`;
  };
  const text = readFileSync(file, "utf8")
    .replace(/\n\/\/# sourceMappingURL=.*/g, "")
    .replace(
      /(["'])(@tillgate\/[\w/-]+|\.[\w./-]+\.js)(["'])/g,
      (_, before, path, after) => before + rewrite(path, resolveInlined(file, path)) + after,
    )
    .replace(
      /new URL\("([^"]+)", import\.meta\.url\)/g,
      (_, path) => `new URL("${rewrite(path, copyIntoPackage(file, path))}", import.meta.url)`,
    );
  writeFileSync(file, text);
}

const findImports = (file) =>
  [...readFileSync(file, "utf8").matchAll(/\b(?:from |import |import\()"([\w@./:-]+)"/g)].map(
    ([, path = ""]) => path,
  );
const resolveRelative = (file, path) =>
  resolve(dirname(file), file.endsWith(".d.ts") ? path.replace(/\.js$/, ".d.ts") : path);

// Removes inlined files that nothing uses, and requires that every external import is a dependency.
const isCode = (file) => /\.(js|d\.ts)$/.test(file);
const used = new Set(listFiles(dist).filter((file) => isCode(file) && !isInlined(file)));
for (const file of used) {
  for (const path of findImports(file)) {
    if (path.startsWith(".")) used.add(resolveRelative(file, path));
    else if (!isBuiltin(path) && !Object.keys(dependencies).some((name) => `${path}/`.startsWith(`${name}/`)))
      throw new Error(`${file} imports ${path}, which is not among the package's dependencies`);
  }
}
for (const file of listFiles(dist)) if (isCode(file) && isInlined(file) && !used.has(file)) rmSync(file);
