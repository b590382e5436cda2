/** Why the stack cannot start or continue. Printed to the user without a stack trace. */
export class StackError extends Error {
  override readonly name = "StackError";
}
