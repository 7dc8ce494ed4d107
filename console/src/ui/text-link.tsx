import { Anchor, type AnchorProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

const Underlined = (props: AnchorProps & ComponentProps<"a">) => <Anchor inherit {...props} />;

/** Link to another page of the console. */
export const TextLink = createLink(Underlined);
