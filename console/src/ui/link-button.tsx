import { Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

type AnchorButtonProps = ButtonProps & Omit<ComponentProps<"a">, keyof ButtonProps>;

const AnchorButton = (props: AnchorButtonProps) => <Button component="a" {...props} />;

/** Link to another page of the console that looks like a button. */
export const LinkButton = createLink(AnchorButton);
