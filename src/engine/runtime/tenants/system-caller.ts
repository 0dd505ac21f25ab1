import type { DomainTables } from "../../../service/model/tables.ts";
import type { Caller } from "../../../service/model/world.ts";
import type { Store } from "../../store/store.ts";

export function systemCaller(store: Store<DomainTables>): Caller {
  const member = store.members.all()[0];
  const user = member && store.users.get(member.user_id);
  return {
    kind: "system",
    membership_id: member?.id ?? "",
    user_id: user?.id ?? "",
    email: user?.email ?? "",
    workspace_id: member?.workspace_id ?? store.workspaces.all()[0]?.id ?? "",
    environment: "production",
    role: "Admin",
    scopes: ["read", "write", "read+write"],
    credential: "",
  };
}
