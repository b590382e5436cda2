import argon2 from "argon2";

/** Least cost that argon2 allows. */
const LEAST_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * Hashes PINs and passwords of tests cheaply, because a test file with many sign-ins would otherwise spend most of its time on it.
 * `packages/database/test/unit/secrets.test.ts` checks the real cost. A hash contains its cost, so verifying it is cheap too.
 */
const { hash } = argon2;
Object.assign(argon2, {
  hash: (secret: string, options: argon2.HashOptions) => hash(secret, { ...options, ...LEAST_COST }),
});
