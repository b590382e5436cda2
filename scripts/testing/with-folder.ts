import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Makes a temporary folder and starts something in it.
 * @param start returns what ends it.
 * @returns what ends it and removes the folder, which also goes when `start` fails.
 */
export async function withFolder(
  start: (folder: string) => Promise<() => Promise<void>>,
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-test-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const end = await start(folder);
    return async () => {
      await end();
      await removeFolder();
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
