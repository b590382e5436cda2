import type { Mode } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Frame } from "../frame";
import { WalletMark } from "../wallet-mark";

export type OutsideFrameProps = { title: string; mode: Mode; children: ReactNode };

/** The frame of the pages of somebody who is not signed in. */
export function OutsideFrame({ title, mode, children }: OutsideFrameProps): ReactNode {
  return (
    <Frame title={`${title} · Tillgate`} sandbox={mode === "sandbox"} wallet>
      <main className="page settled">
        <section className="card pay" aria-labelledby="outside-title">
          <h1 id="outside-title" className="with-mark">
            <WalletMark />
            {title}
          </h1>
          {children}
        </section>
      </main>
    </Frame>
  );
}
