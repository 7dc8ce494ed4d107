import { texts as access } from "../access/texts.en.ts";
import { texts as audit } from "../audit/texts.en.ts";
import { texts as calls } from "../calls/texts.en.ts";
import { texts as campaigns } from "../campaigns/texts.en.ts";
import { texts as imports } from "../imports/texts.en.ts";
import { texts as keys } from "../keys/texts.en.ts";
import { texts as player } from "../player/texts.en.ts";
import { texts as privacy } from "../privacy/texts.en.ts";
import { texts as shell } from "../shell/texts.en.ts";
import { texts as ui } from "../ui/texts.en.ts";
import { texts as uploads } from "../uploads/texts.en.ts";
import { texts as users } from "../users/texts.en.ts";
import { texts as webhooks } from "../webhooks/texts.en.ts";
import { texts as workspace } from "../workspace/texts.en.ts";

export const en = {
  access,
  audit,
  calls,
  campaigns,
  imports,
  keys,
  player,
  privacy,
  shell,
  ui,
  uploads,
  users,
  webhooks,
  workspace,
};
