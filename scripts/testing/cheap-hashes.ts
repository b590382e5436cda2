import argon2 from "argon2";

/** Least cost that argon2 allows. */
const LEAST_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * Hashes PINs and passwords of tests cheaply, because a file of sign-ins would do little else.
 * `packages/database/test/unit/secrets.test.ts` checks the real cost. A hash names its cost, so verifying it is cheap too.
 */
const { hash } = argon2;
Object.assign(argon2, {
  hash: (secret: string, options: argon2.HashOptions) => hash(secret, { ...options, ...LEAST_COST }),
});
