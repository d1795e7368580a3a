//! What several programs on one data directory see of each other.

// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;

const IMPATIENT: Patience = Patience {
    unknown: Duration::from_millis(100),
    request: Duration::from_millis(100),
};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

async fn own(directory: &Path, role: Role) -> Ownership {
    match claim(directory, role, IMPATIENT).await.unwrap() {
        Claim::Owned(ownership) => ownership,
        other => panic!("not owned: {other:?}"),
    }
}

async fn busy(directory: &Path) -> Busy {
    match claim(directory, Role::Request, IMPATIENT).await.unwrap() {
        Claim::Busy(busy) => busy,
        other => panic!("not busy: {other:?}"),
    }
}

#[tokio::test]
async fn a_second_claim_finds_the_owner_that_takes_clients() {
    let folder = folder();
    let ownership = own(folder.path(), Role::Serve).await;
    let token = Secret::random().unwrap();
    ownership.take_clients(4321, &token).unwrap();
    let Claim::Clients(access) = claim(folder.path(), Role::Request, IMPATIENT).await.unwrap() else {
        panic!("no clients taken");
    };
    assert_eq!(access.port, 4321);
    assert_eq!(access.pid, std::process::id());
    assert!(access.token.matches(token.reveal()));
}

#[tokio::test]
async fn an_owner_without_clients_is_busy_with_its_pid_at_once() {
    let folder = folder();
    let _ownership = own(folder.path(), Role::Bridge).await;
    let patient = Patience {
        unknown: Duration::from_mins(10),
        request: Duration::from_mins(10),
    };
    let claimed = claim(folder.path(), Role::Serve, patient).await.unwrap();
    let Claim::Busy(busy) = claimed else {
        panic!("{claimed:?}")
    };
    assert_eq!(busy.pid, Some(std::process::id()));
    let diagnostic = busy.to_diagnostic();
    assert_eq!(diagnostic.code, Code::HostBusy);
    assert!(
        diagnostic.message.contains(&std::process::id().to_string()),
        "{diagnostic}"
    );
}

#[tokio::test]
async fn who_needs_the_data_alone_is_told_who_has_it() {
    let folder = folder();
    let claimed = || async { claim(folder.path(), Role::Bridge, IMPATIENT).await.unwrap().owned() };
    let pid = std::process::id().to_string();
    {
        let _owner = own(folder.path(), Role::Bridge).await;
        let busy = claimed().await.unwrap_err();
        assert_eq!(busy.code, Code::HostBusy);
        assert!(busy.message.contains(&pid), "{}", busy.message);
    }
    {
        let owner = own(folder.path(), Role::Serve).await;
        owner.take_clients(4242, &Secret::random().unwrap()).unwrap();
        let busy = claimed().await.unwrap_err();
        assert_eq!(busy.code, Code::HostBusy);
        assert!(
            busy.message.contains(&pid) && busy.message.contains("127.0.0.1:4242"),
            "{}",
            busy.message
        );
    }
    assert_eq!(claimed().await.unwrap().directory(), folder.path());
}

#[tokio::test]
async fn a_single_request_is_waited_for() {
    let folder = folder();
    let first = own(folder.path(), Role::Request).await;
    assert_eq!(busy(folder.path()).await.pid, Some(std::process::id()));

    let path = folder.path().to_owned();
    let second = tokio::spawn(async move { claim(&path, Role::Request, Patience::default()).await.unwrap() });
    tokio::task::yield_now().await;
    drop(first);
    assert!(matches!(second.await.unwrap(), Claim::Owned(_)));
}

#[tokio::test]
async fn a_start_is_waited_for_until_clients_are_taken() {
    let folder = folder();
    let ownership = own(folder.path(), Role::Serve).await;
    let path = folder.path().to_owned();
    let second = tokio::spawn(async move { claim(&path, Role::Request, Patience::default()).await.unwrap() });
    tokio::task::yield_now().await;
    ownership.take_clients(1, &Secret::random().unwrap()).unwrap();
    assert!(matches!(second.await.unwrap(), Claim::Clients(_)));
}

#[tokio::test]
async fn a_record_without_the_lock_does_not_count() {
    let folder = folder();
    let stale = r#"{"schemaVersion":1,"pid":1,"role":"serve","clients":{"port":9,"token":"0123456789abcdef"}}"#;
    std::fs::write(folder.path().join(RECORD_FILE), stale).unwrap();
    let ownership = own(folder.path(), Role::Bridge).await;
    assert_eq!(busy(folder.path()).await.pid, Some(std::process::id()));
    drop(ownership);
    assert!(!folder.path().join(RECORD_FILE).exists());
    assert!(folder.path().join(LOCK_FILE).exists());
}

#[tokio::test]
async fn a_record_that_cannot_be_read_says_nothing() {
    let whole = r#"{"schemaVersion":1,"pid":1,"role":"serve","clients":{"port":9,"token":"0123456789abcdef"}}"#;
    let folder = folder();
    let _ownership = own(folder.path(), Role::Serve).await;
    for text in [
        "",
        "{\"schemaVer",
        "null",
        &whole.replace(":1,", ":2,"),
        &whole.replace("pid", "PID"),
        &whole.replace(":9,", ":99999,"),
    ] {
        std::fs::write(folder.path().join(RECORD_FILE), text).unwrap();
        assert_eq!(busy(folder.path()).await.pid, None, "{text}");
    }
    std::fs::write(folder.path().join(RECORD_FILE), whole).unwrap();
    assert!(matches!(
        claim(folder.path(), Role::Serve, IMPATIENT).await.unwrap(),
        Claim::Clients(_)
    ));
}

#[tokio::test]
async fn stray_temporary_files_are_swept_and_nothing_else() {
    let folder = folder();
    std::fs::write(folder.path().join(".host.json.AbCd"), "{").unwrap();
    std::fs::write(folder.path().join("settings.json"), "{}").unwrap();
    let _ownership = own(folder.path(), Role::Serve).await;
    assert!(!folder.path().join(".host.json.AbCd").exists());
    assert!(folder.path().join("settings.json").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn the_folder_and_its_files_are_the_users_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let directory = folder.path().join("a/b");
    let ownership = own(&directory, Role::Serve).await;
    ownership.take_clients(1, &Secret::random().unwrap()).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    assert_eq!(mode(&directory.join(LOCK_FILE)), 0o600);
    assert_eq!(mode(&directory.join(RECORD_FILE)), 0o600);
}

#[tokio::test]
async fn a_directory_that_cannot_be_made_is_named() {
    let folder = folder();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = claim(&file.join("data"), Role::Serve, IMPATIENT).await.unwrap_err();
    let diagnostic = error.to_diagnostic();
    assert_eq!(diagnostic.code, Code::DataDirectoryUnusable);
    assert!(diagnostic.message.contains(&*file.to_string_lossy()), "{diagnostic}");
}

#[test]
fn a_given_directory_becomes_absolute_and_an_empty_one_is_none() {
    let given = data_directory(Some("some/where".into())).unwrap();
    assert!(given.is_absolute() && given.ends_with("some/where"));
    let usual = data_directory(None).unwrap();
    assert!(usual.ends_with("toolgate"));
    assert_eq!(data_directory(Some(PathBuf::new())).unwrap(), usual);
}
