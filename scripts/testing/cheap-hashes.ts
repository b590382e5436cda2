import argon2 from "argon2";

/** Least cost that argon2 allows. */
const LEAST_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Makes the hashes of tests cheap, because hashing would take most of the time of tests with many sign-ins. `secrets.test.ts` checks the real cost. */
const { hash } = argon2;
Object.assign(argon2, {
  hash: (secret: string, options: argon2.HashOptions) => hash(secret, { ...options, ...LEAST_COST }),
});
