import type { ReactNode } from "react";

export type PasskeyInputProps = {
  name: string;
  /** `get` signs with a passkey, `create` makes one. */
  use: "get" | "create";
  /** The address that answers what is signed. */
  from: string;
  failed: string;
  known?: string;
  unknown: string;
};

/** Filled in by the script of passkeys with what the browser's passkey says, before the form is sent. */
export function PasskeyInput({ name, use, from, failed, known, unknown }: PasskeyInputProps): ReactNode {
  return (
    <>
      <input
        type="hidden"
        name={name}
        data-passkey={use}
        data-from={from}
        data-script={`/assets/passkey.js?v=${process.env.ASSET_VERSION}`}
        data-failed={failed}
        data-known={known}
        data-unknown={unknown}
      />
      <p className="notice" role="alert" data-testid="pay-passkey-error" data-passkey-error="" hidden />
    </>
  );
}
