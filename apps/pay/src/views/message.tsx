import type { ReactNode } from "react";
import { Frame, type FrameProps } from "./frame";
import { type IconName, StatusIcon } from "./status-icon";

type MessageProps = {
  title: string;
  explanation: string;
  /** Explains what the script does in the meantime. The text is shown only if scripts run. */
  scriptAdvice?: string;
  status: IconName;
  /** The script polls this URL and reloads the page once the response is not a server error. */
  pollAddress?: string | undefined;
  link?: { href: string; text: string; testId: string };
};

export function Message({
  title,
  explanation,
  scriptAdvice,
  status,
  pollAddress,
  link,
}: MessageProps): ReactNode {
  return (
    <main className="page settled" data-poll-address={pollAddress}>
      <div className="card message">
        <StatusIcon status={status} />
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

export function MessagePage({
  script = false,
  refresh = null,
  ...message
}: MessageProps & Pick<FrameProps, "script" | "refresh">): ReactNode {
  return (
    <Frame title={message.title} script={script} refresh={refresh}>
      <Message {...message} />
    </Frame>
  );
}
