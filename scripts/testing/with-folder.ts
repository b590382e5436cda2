import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Creates a temporary folder for a global setup.
 * @param start performs the setup and returns its teardown
 * @returns a teardown that also removes the folder
 */
export async function withFolder(
  start: (folder: string) => Promise<() => Promise<void>>,
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-test-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const tearDown = await start(folder);
    return async () => {
      await tearDown();
      await removeFolder();
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
