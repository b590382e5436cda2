import type { ReactNode } from "react";
import { Sign, type SignName } from "./sign";

export type MessageProps = {
  title: string;
  explanation: string;
  /** What the script does meanwhile. */
  scriptAdvice?: string;
  status: SignName;
  /** The script polls this address and reloads the page once it responds. */
  waitsFor?: string | undefined;
  link?: { href: string; text: string; testId: string };
};

/** A view without an order: not found, unreachable, rejected. */
export function Message({
  title,
  explanation,
  scriptAdvice,
  status,
  waitsFor,
  link,
}: MessageProps): ReactNode {
  return (
    <main className="page settled" data-waits-for={waitsFor}>
      <div className="card message">
        <Sign status={status} />
        <h1 data-testid="pay-status" data-status={status}>
          {title}
        </h1>
        <p>{explanation}</p>
        {scriptAdvice === undefined ? null : <p className="with-script">{scriptAdvice}</p>}
        {link === undefined ? null : (
          <a className="button main" href={link.href} data-testid={link.testId}>
            {link.text}
          </a>
        )}
      </div>
    </main>
  );
}
