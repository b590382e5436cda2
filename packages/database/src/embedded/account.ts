import { chown, readFile, stat } from "node:fs/promises";
import { EmbeddedServerError } from "./errors.js";

/** The operating-system account that PostgreSQL runs as; if undefined, the account of this process. */
export type ServerAccount = { uid: number; gid: number };

const NOBODY: ServerAccount = { uid: 65_534, gid: 65_534 };

/**
 * Chooses PostgreSQL's account. PostgreSQL refuses to run as root, so root runs it as the owner of the data directory, or as `nobody` if the
 * directory is missing or belongs to root.
 * @throws EmbeddedServerError if another user owns the directory and this process is not root.
 */
export async function chooseAccount(dataDirectory: string): Promise<ServerAccount | undefined> {
  const currentUid = process.getuid?.();
  if (currentUid === undefined) return undefined;
  const owner = await readOwner(dataDirectory);
  if (currentUid !== 0) {
    if (owner && owner.uid !== currentUid) {
      throw new EmbeddedServerError(
        `${dataDirectory} belongs to another user (uid ${owner.uid}). Run this command as that user, or choose another folder.`,
      );
    }
    return undefined;
  }
  if (owner && owner.uid !== 0) return owner;
  return (await findNobodyAccount()) ?? NOBODY;
}

export async function changeOwner(account: ServerAccount | undefined, path: string): Promise<void> {
  if (account) await chown(path, account.uid, account.gid);
}

/** Environment variables that are passed to PostgreSQL's programs. Other variables may contain secrets. */
const PASSED_ON = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR"] as const;

export function createSpawnOptions(account: ServerAccount | undefined): {
  uid?: number;
  gid?: number;
  env: Record<string, string>;
} {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...account, env: { ...Object.fromEntries(passedOn), LC_ALL: "C", TZ: "UTC" } };
}

async function readOwner(path: string): Promise<ServerAccount | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function findNobodyAccount(): Promise<ServerAccount | undefined> {
  const accounts = await readFile("/etc/passwd", "utf8").catch(() => "");
  const fields = accounts
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === "nobody");
  const uid = Number(fields?.[2]);
  const gid = Number(fields?.[3]);
  return Number.isInteger(uid) && Number.isInteger(gid) && uid > 0 ? { uid, gid } : undefined;
}
