import { record, type Received, type Reply, type Service, startService } from "./service.ts";

/** A service behind a gateway, which can be taken away and brought back. */
export interface Gateway extends Service {
  /** While it is true, the gateway answers in the place of the service. */
  isDown: boolean;
  /** Requests that the service itself answered, and those that the gateway did. */
  sound: Received[];
  refused: Received[];
}

/** The page with which a gateway says that there is nothing behind it. */
export const badGateway = (status = 502): Reply => ({
  status,
  headers: { "content-type": "text/html", server: "nginx" },
  body: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`,
});

/** Starts one. `during`: looks at each request before it is answered, and may bring the service down or back. */
export async function startGateway({
  during = () => {},
  down = () => badGateway(),
  answer = ({ prompt }) => record(prompt),
  port = 0,
}: {
  during?: (gateway: Gateway, received: Received) => void;
  down?: (received: Received) => Reply;
  answer?: (received: Received) => Reply;
  port?: number;
} = {}): Promise<Gateway> {
  const own: Pick<Gateway, "isDown" | "sound" | "refused"> = { isDown: false, sound: [], refused: [] };
  const service = await startService((received) => {
    during(gateway, received);
    if (gateway.isDown) {
      gateway.refused.push(received);
      return down(received);
    }
    gateway.sound.push(received);
    return answer(received);
  }, port);
  const gateway: Gateway = Object.assign(service, own);
  return gateway;
}
