/** For `catch`: a missing file becomes undefined; other errors are thrown again. */
export function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  return undefined;
}
