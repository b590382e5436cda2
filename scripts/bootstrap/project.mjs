import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");

export function installedProgram(name) {
  return path.join(root, "node_modules/.bin", name);
}
