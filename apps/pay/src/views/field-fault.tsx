import type { ReactNode } from "react";

/** What is said of a field below it. */
export type FieldFaultProps = { name: string; said: string | null };

const idOf = (name: string): string => `${name}-fault`;

export function FieldFault({ name, said }: FieldFaultProps): ReactNode {
  return said === null ? null : (
    <p className="fault" id={idOf(name)}>
      {said}
    </p>
  );
}

/** Marks a field that has to be corrected, and names what describes the fault: the text below it, else the notice. */
export const faultOf = ({ name, said, wrong }: FieldFaultProps & { wrong: boolean }) => ({
  "aria-invalid": wrong || undefined,
  "aria-describedby": wrong ? (said === null ? "notice" : idOf(name)) : undefined,
});
