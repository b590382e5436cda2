import type { ReactNode } from "react";

export interface MessageProps {
  title: string;
  explanation: string;
  status: string;
  link?: { href: string; text: string; testId: string };
}

/** A view that shows no order: not found, unreachable, refused. */
export function Message({ title, explanation, status, link }: MessageProps): ReactNode {
  return (
    <main className="page settled">
      <div className="card message">
        <h1 data-testid="pay-status" data-status={status}>
          {title}
        </h1>
        <p>{explanation}</p>
        {link === undefined ? null : (
          <a className="button main" href={link.href} data-testid={link.testId}>
            {link.text}
          </a>
        )}
      </div>
    </main>
  );
}
