/** What forms are made of. */
export { Button } from "./button";
export { Confirmation } from "./confirmation";
export { Field, FileField, Select, TextArea } from "./fields";
export { Form, useRefused } from "./form-element";
export { SecondFactorField } from "./second-factor";
