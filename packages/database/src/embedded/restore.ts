import { copyFile, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withConnection } from "@tillgate/migrate";
import { queryOneRow } from "@tillgate/service";
import { z } from "zod";
import { chooseAccount } from "./account.js";
import { archivePath, type Damage, quoteForArchive } from "./archive.js";
import { type Backup, basePath, inspectBackup, listBackups, readBackup } from "./backup.js";
import { copyData, writeFileFor } from "./data-copy.js";
import { EmbeddedServerError } from "./errors.js";
import { ignoreMissing } from "./missing-file.js";

const RECOVERY_POLL_MS = 100;
const RECOVERY_TIMEOUT_MS = 3_600_000;

/** An intact backup. `damaged` is the damage to newer backups. */
type ChosenBackup = { backup: Backup; damaged: Damage[] };

/**
 * Restores the newest intact backup that was completed no later than `to`. A server started on the data directory replays the archived WAL.
 * @param options.to time at which the recovery stops. Default: the end of the WAL.
 * @param options.name the only backup to try. Default: all.
 * @throws EmbeddedServerError if no intact backup qualifies, or the directory is not empty.
 */
export async function restoreBackup(options: {
  folder: string;
  dataDirectory: string;
  to: Date | undefined;
  name?: string | undefined;
}): Promise<ChosenBackup> {
  const { folder, dataDirectory, to } = options;
  const found = (await readdir(dataDirectory).catch(ignoreMissing)) ?? [];
  if (found.length > 0)
    throw new EmbeddedServerError(`${dataDirectory} is not empty. Restore into a new folder.`);
  const choice = await chooseBackup(options);
  const from = path.join(basePath(folder), choice.backup.name);
  const account = await chooseAccount(path.join(from, "data"));
  await mkdir(path.dirname(dataDirectory), { recursive: true, mode: 0o700 });
  await copyData(path.join(from, "data"), dataDirectory, account);
  await copyFile(path.join(from, "password"), `${dataDirectory}-password`);
  const settings = {
    restore_command: `gzip -dc ${quoteForArchive(archivePath(folder))}/"%f".gz > "%p"`,
    recovery_target_action: "promote",
    // PostgreSQL reads this setting before time zone names are available.
    ...(to && { recovery_target_time: to.toISOString().replace("Z", "+00") }),
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'\n`,
  );
  await writeFileFor(account, path.join(dataDirectory, "postgresql.auto.conf"), lines.join(""));
  await writeFileFor(account, path.join(dataDirectory, "recovery.signal"), "");
  return choice;
}

async function chooseBackup(options: {
  folder: string;
  to: Date | undefined;
  name?: string | undefined;
}): Promise<ChosenBackup> {
  const { folder, to, name: only } = options;
  const damaged: Damage[] = [];
  for (const name of (await listBackups(folder)).reverse()) {
    if (only !== undefined && name !== only) continue;
    const described = await readBackup(folder, name);
    if (described && to !== undefined && described.endedAt > to) continue;
    const damages = await inspectBackup(folder, name);
    if (described && damages.length === 0) return { backup: described, damaged };
    damaged.push(
      ...(damages.length > 0 ? damages : [{ file: `base/${name}/backup.json`, cause: "damaged" }]),
    );
  }
  const wanted = only === undefined ? "No intact backup" : `No intact backup ${only}`;
  const reason =
    to === undefined
      ? `${wanted} was found in ${folder}.`
      : `${wanted} in ${folder} was completed by ${to.toISOString()}.`;
  throw new EmbeddedServerError([reason, ...damaged.map(describeDamage)].join("\n"));
}

/** Returns a sentence, such as `wal/manifest is missing.` */
export const describeDamage = ({ file, cause }: Damage): string => `${file} is ${cause}.`;

export type Recovery = {
  /** Time of the last replayed transaction; undefined if the WAL contained none after the backup. */
  reachedAt: Date | undefined;
  /** Byte position after the last replayed WAL record. */
  position: bigint;
};

/** Waits until a restored server accepts writes, then resets its recovery settings. @throws EmbeddedServerError if that takes more than an hour. */
export async function waitForRecovery(url: string): Promise<Recovery> {
  return await withConnection({ connectionString: url }, async (client) => {
    for (let waited = 0; waited < RECOVERY_TIMEOUT_MS; waited += RECOVERY_POLL_MS) {
      const { isRecovering } = await queryOneRow(
        client,
        z.object({ isRecovering: z.boolean() }),
        'SELECT pg_is_in_recovery() AS "isRecovering"',
      );
      if (!isRecovering) {
        // The next start must not restore from the archive again.
        for (const name of ["restore_command", "recovery_target_time", "recovery_target_action"])
          await client.query(`ALTER SYSTEM RESET ${name}`);
        const { reachedAt, position } = await queryOneRow(
          client,
          z.object({ reachedAt: z.date().nullable(), position: z.string() }),
          `SELECT pg_last_xact_replay_timestamp() AS "reachedAt",
                  coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::text AS position`,
        );
        return { reachedAt: reachedAt ?? undefined, position: BigInt(position) };
      }
      await delay(RECOVERY_POLL_MS);
    }
    throw new EmbeddedServerError(
      "The server has been replaying its WAL for more than an hour. Check its log.",
    );
  });
}
