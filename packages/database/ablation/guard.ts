export type GuardKind =
  | "trigger"
  | "check"
  | "foreign key"
  | "unique index"
  | "row lock"
  | "condition"
  | "comparison";

export type Guard = {
  kind: GuardKind;
  /** Unique within its kind, and stable while the guard is unchanged. */
  name: string;
  /** The guard's table or function. */
  of: string;
  /** The function that contains the guard, or that the trigger calls; null for any other guard. */
  calls: string | null;
  /** What the guard enforces, as PostgreSQL prints it; for a guard in a function, what replaces it. */
  holds: string;
  /** SQL that removes the guard. It runs as superuser on a copy of the template database. */
  ablation: string;
};
