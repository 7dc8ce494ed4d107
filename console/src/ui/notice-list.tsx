export { Notifications as NoticeList } from "@mantine/notifications";
