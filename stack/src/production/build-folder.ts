import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { stopLeftoverServer } from "@tillgate/database/embedded";
import { getEmbeddedDataDirectory } from "../databases.js";
import { lockDataDirectory, STACK_LOCK } from "../lock.js";
import { getSystemErrorCode } from "../private-file.js";
import { StackError } from "../stack-error.js";

/**
 * Fills a new data folder under the name `<folder>.partial`, and renames it once it is complete: a command that is interrupted leaves no folder
 * that looks finished, and two of them do not write into one.
 * @param fill writes the files; its server is stopped when it resolves.
 * @throws StackError when the folder is not empty or being filled by another process; and any error of `fill`, after the removal of its files.
 */
export async function buildFolder<Result>(
  into: string,
  fill: (folder: string) => Promise<Result>,
): Promise<Result> {
  const partial = `${into}.partial`;
  await rejectUsed(into);
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const unlock = await lockDataDirectory(partial);
  try {
    await stopLeftoverServer(getEmbeddedDataDirectory(partial));
    for (const name of await readdir(partial))
      if (name !== STACK_LOCK) await rm(path.join(partial, name), { recursive: true });
    const result = await fill(partial);
    await unlock();
    await rename(partial, into);
    return result;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function rejectUsed(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (getSystemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (names === undefined) return;
  if (names.length > 0) throw new StackError(`${folder} is not empty. Choose a new folder.`);
  // A mount point cannot be replaced by renaming, and the partial folder would be on another disk.
  if ((await stat(folder)).dev !== (await stat(path.dirname(folder))).dev)
    throw new StackError(`${folder} is a mount point. Choose a new folder in it.`);
}
