package dev.postroom.ops;

/** As many audits run as may run at once. */
final class AuditsBusy extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AuditsBusy() {
    super("an audit is running on this node; ask again when it is through", null, false, false);
  }
}
