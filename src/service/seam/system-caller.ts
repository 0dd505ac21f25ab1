import type { Caller, World } from "../kit/world.ts";

export function systemCaller({ store }: World): Caller {
  const member = store.members.first();
  const user = member && store.users.get(member.user_id);
  return {
    kind: "system",
    membership_id: member?.id ?? "",
    user_id: user?.id ?? "",
    email: user?.email ?? "",
    workspace_id: member?.workspace_id ?? store.workspaces.first()?.id ?? "",
    environment: "production",
    role: "Admin",
    scopes: ["read", "write", "read+write"],
    credential: "",
  };
}
