import { describeUnreadableSecrets, type Keyring } from "@tillgate/database";
import type pg from "pg";
import { retryUntilReachable } from "./working-role.js";

/**
 * Checks, once the database responds, that the keys decrypt its secrets.
 * @returns why the API must not run with these keys; undefined if it may.
 */
export const checkEncryptionKeys = (
  pool: Pick<pg.Pool, "query">,
  keyring: Keyring,
): Promise<string | undefined> => retryUntilReachable(() => describeUnreadableSecrets(pool, keyring));
