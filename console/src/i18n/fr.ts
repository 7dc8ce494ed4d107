import { texts as access } from "../access/texts.fr.ts";
import { texts as audit } from "../audit/texts.fr.ts";
import { texts as calls } from "../calls/texts.fr.ts";
import { texts as campaigns } from "../campaigns/texts.fr.ts";
import { texts as imports } from "../imports/texts.fr.ts";
import { texts as keys } from "../keys/texts.fr.ts";
import { texts as player } from "../player/texts.fr.ts";
import { texts as privacy } from "../privacy/texts.fr.ts";
import { texts as shell } from "../shell/texts.fr.ts";
import { texts as ui } from "../ui/texts.fr.ts";
import { texts as uploads } from "../uploads/texts.fr.ts";
import { texts as users } from "../users/texts.fr.ts";
import { texts as webhooks } from "../webhooks/texts.fr.ts";
import { texts as workspace } from "../workspace/texts.fr.ts";

export const fr = {
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
