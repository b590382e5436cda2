import type { ReactNode } from "react";
import { PinField } from "../pin-field";
import { useWords } from "../use-words";
import type { Fault } from "./faults";

export type NewPinFieldsProps = {
  /** Of the first field, where it is not `new_pin`. */
  name?: "pin" | "new_pin";
  label?: string;
  repeat?: string;
  testId?: string;
  fault(name: string): Fault;
};

/** A PIN that is chosen now, typed twice. */
export function NewPinFields({
  name = "new_pin",
  label,
  repeat,
  testId,
  fault,
}: NewPinFieldsProps): ReactNode {
  const { texts } = useWords();
  return (
    <>
      <PinField
        label={label ?? texts.account.pin.new}
        testId={testId ?? "wallet-new-pin"}
        name={name}
        isNew
        {...fault(name)}
      />
      <PinField
        label={repeat ?? texts.account.pin.repeat}
        testId="wallet-repeated-pin"
        name="repeated_pin"
        {...fault("repeated_pin")}
      />
    </>
  );
}
