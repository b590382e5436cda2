import path from "node:path";

/** The project's folder. */
export const root = path.resolve(import.meta.dirname, "../..");

/** The JavaScript file that npm would run for an installed command. */
export function installedProgram(name) {
  return path.join(root, "node_modules/.bin", name);
}
