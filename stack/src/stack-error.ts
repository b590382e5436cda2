/** A user-facing error: why the stack cannot start or continue. Printed without a stack trace. */
export class StackError extends Error {
  override readonly name = "StackError";
}
