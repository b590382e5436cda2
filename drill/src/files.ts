import { chown, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Account } from "./program.js";

const TEMPLATES = path.resolve(import.meta.dirname, "../../deploy/high-availability");

/**
 * Writes a file from `deploy/high-availability`, with values for its `${NAMES}`. @returns the file's path. @throws Error for a name without a value.
 */
export async function writeFromTemplate(
  file: string,
  target: string,
  values: Readonly<Record<string, string>>,
  account: Account | undefined,
): Promise<string> {
  const template = await readFile(path.join(TEMPLATES, file), "utf8");
  const text = template.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${file} needs a value for ${name}`);
    return value;
  });
  await writeFor(account, target, text);
  return target;
}

/** Writes a file that only its owner (the account, or the current user) can read, because it may contain passwords. */
export async function writeFor(account: Account | undefined, file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  if (account) await chown(file, account.uid, account.gid);
}

export async function giveToAccount(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 });
  if (account) await chown(folder, account.uid, account.gid);
}
