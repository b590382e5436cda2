import type { ReactElement } from "react";

/** Heading of a numeric column. */
export const NumberColumn = ({ name }: { name: string }): ReactElement => (
  <th scope="col" className="number">
    {name}
  </th>
);
