"""Korean counters: which numerals they take, and what may follow them.

Tables for people to read and extend, as those of `spoken.py`, whose `VERSION` changes whenever a row does.
"""

import re

from .spoken import LAST_PARTICLES, table_rows, words

# 개 and what is counted: 3개사 is 세 개사 and 삼 개사
_COUNTED_BY_GAE = words("""
개사 개팀 개조 개종 개시 개도 개군 개구 개동 개반 개층 개사단 개시도 개학교 개학급 개학과 개대학 개부처 개기관
개업체 개기업 개항목 개과목 개분야 개지역 개지점 개점포 개매장 개노선 개구간 개구단 개정당 개단체 개품목 개언어
""")

# counters that take native numerals; from 10 on Sino-Korean ones are heard too
NATIVE_COUNTERS = [
    *_COUNTED_BY_GAE,
    *words("""
개 명 사람 분 마리 권 잔 병 컵 캔 그릇 접시 대 척 채 벌 켤레 짝 쌍 송이 그루 포기 다발 줄기 자루 통
봉지 상자 박스 갑 팩 알 톨 모 단 판 조각 토막 장 줄 가닥 가지 군데 곳 번 차례 바퀴 걸음 모금 숟갈 끼
달 시 시간 살 배 곱 겹 갈래 편 곡 마디 방울 점 팀 집 칸 발 돈 말 되 섬 냥 푼 필 손 두름 축 쾌 톳
쌈 첩 정거장 번째 째 스푼 테이블 세트 주 반 가구 골 공기 사발 숟가락 젓가락 큰술 작은술 바가지 뭉치
무더기 꾸러미 묶음 덩이 덩어리 뿌리 꼬치 바구니 가마니 포대 통화 마지기 뼘 수 발자국 발짝 계단 나라 도시 글자
단어 문장 과목 문제 문항 식구 형제 자매 남매 아들 딸 아이 친구 커플 부부 종류 회사 학교 작품 장면 부분 방향
개월 평 동 여 쪽 페이지 층 자리 세대 타래 다스 근 홉 접 해 줌 컷 건 표 학기 주일 단계 등급 라운드
코스 채널 차로 차선 세기 구역 경기 음절 소절 품목 국자 티스푼 꼬집 움큼 대접 뚝배기 바늘 곱절 갑절 닢 가락
블록 학급 모둠 항목 손가락 발가락 구 가마 마당 폭
정 캡슐 환 앰플 바이알 포 튜브 파우치 스틱 티백 펌프 스쿱 롤 보루 봉 봉투 종 등분 쿼터 타 패
고개 고랑 고을 광주리 굽이 길 깍지 꺼풀 꼬투리 꼭지 꾸리 끗 낱 다랑이 도막 돌 두둑 두루마리 땀 떨기 뙈기
매듭 모숨 뭇 바리 보따리 부대 소쿠리 송아리 수저 술 아름 자락 잎 종지 지게 짐 촉 켜 코 트럭 홰 피스
마을 부락 가게 매장 정류장 업체 기업 기관 객실 교실 방 밤 입 가정 무리 대목 사례 조항 행사 케이스 페어 슬라이스
트랙 챕터 파트 세션 코너 에피소드 사이클 타임 샷 시즌 필지
게임 병상 좌석 의석 도시락 문단 단락 지점 점포 노선 구간 강의 강좌 그룹 조합 패키지 버전 릴 여자 남자 녀석 순배 동이
항아리 쟁반 양동이 대야 냄비 솥 주전자 드럼 탱크 컨테이너 팔레트 카톤 시트 스트립 유닛 도스 코인 토큰 콜 클릭 뷰 하트
학과 씬 갈피 질
"""),
]

# counters that take Sino-Korean numerals alone, or too; the readings of units are added to these
SINO_COUNTERS = [
    *_COUNTED_BY_GAE,
    *words("""
년 년대 년생 년도 년간 년차 주차 일차 회차 점차 월 일 일간
분 초 주 주일 주년 개월 개월간 세 세기 층 원 원권 호 호실 호선 번
번지 번길 번가 동 단지 학년 학번 반 교시 페이지 쪽 과 장 절 조 항 권 편 회 차 차례 기 대 등 위 급
단 인 인분 인승 인용 명 석 표 점 승 패 무 전 골 배속 단계 박 평 교 국 개국 개소 개교 개년 분기 출구
구역 달러 도 부 막 탄 군 군단 사단 분의 여 몇 세트 라운드 킬로 센티 채널 연승 연패 연속 관왕 종
종류 자리 자릿수 분대 팀 경기 타석 안타 등급 엔 유로 위안 파운드 불 루블 루피 바트 학기 성급 강 강전
루타 루수 심 타수 타점 도루 이닝 승제 판승제 륜구동 중창 중주 중추돌 중충돌 지신 절기 곡밥 남매 형제 자매
세대 자 자회담 자대결 자구도 역 건 량 매 열 행 음절 품목 기통 도씨 마력 화소 비트 코어 기압 리 해리 노트 에이커 갤런
배럴 온스 캐럿
학점 인실 인조 인방 평형 호기 호차 호점 등분 진법 학급 차시 반기 모둠 번대 악장 코스 배 필지 가구 선승제 선승 선발 선
할 푼 단위 득점 실점 도움 구 볼 스트라이크 루 프레임 실 홀 홈런 볼넷 탈삼진 병살 실책
리바운드 블로킹 어시스트 순위 레벨 랭크 주기 호봉 범 촌 사분면 소대 중대 지망 전승 쿼터 광년 획
보 화 대대 의석 인칭 인극 부작 면체 각형 차원 차로 차선 연임 위권 회분 회전 교대 대째 박자 옥타브
"""),
]

# nouns before which 이 and a blank mean "this" more often than 2, as in 이 페이지; so it is before each counter of one
# syllable, as in 이 분, and these need not be listed
AFTER_THIS = frozenset(
    words("""
페이지 채널 라운드 세트 단지 종류 경기 타석 구역 출구 자리 등급 단계 호실 이닝 학기 차로 차선 차원 박자 옥타브
남매 형제 자매 단위 득점 실점 도움 레벨 순위 프레임 주기 등분 쿼터
""")
)

# words that read as a digit with a counter right behind it, and are more usual
COUNTED_WORDS = frozenset(
    words("""
사과 사장 일단 이동 일반 이기 사기 일기 오기 이번 이불 일자리
사건 이건 이쪽 일몰 육군 천막 만세 사실 오실 구실 이루 일할
이할 구할 삼촌 구구 사구 백일장
""")
)

# with these counters such a word is one only where this follows: 이번 주, 이쪽으로, 이루다, 일할 때
ONLY_BEFORE = {
    "번": re.compile(r"[에엔은만]| ?[주달해]| ?(?:여름|겨울|학기|시즌|경기|사건|일)"),
    "쪽": re.compile(r"으로|에서|[이은도]|(?![가-힣])"),
    "루": re.compile(r"[고다며지기어는]|도록|려"),
    "할": re.compile(r" (?:때|수|것|일|만|거|겁|사람|예정|생각)"),
}

# native numeral and counter that are a noun where there is no blank, more often than the number; we chose them among
# all numerals and counters above, with the words of KLUE and KorSTS that begin so (both CC BY-SA 4.0)
NATIVE_NOUNS = frozenset(
    words("""
한방 한밤 한길 한입 한쪽 한술 한패 한마당 한가락 한반도 한편으로 세포 세입 세단 세타 네모 아홉수
열정 열반 열방 열대야
""")
)

# counters that are usual only with some numbers, other than which they are the end of a noun (천국, 육교, 오심)
FEW_COUNTED = {
    "국": (3,),
    "교": (),
    "심": (1, 2, 3),
    "무": (),
    "전": (),
    "자": (3,),
    "역": (2, 3),
    "행": (3, 4, 10),
    "매": (2, 3, 4, 5, 6, 7, 8, 10, 100, 1000, 10000),
    "리": (100, 1000, 10000),
    "보": (100, 1000, 10000),
    "화": (3, 5, 6, 7, 8, 10, 100),
    "선": (2, 3, 4, 5, 6),
    "해": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "여": (10, 100, 1000, 10000),
    "몇": (10, 100, 1000, 10000),
}

# what may follow a counter without a blank, besides particles, and behind which counters ("-" is any of them); 시간,
# 주말 and 인형 are nouns of their own, and in 일부러 and 사회적 a counter is followed by nothing of this
AFTER_COUNTERS = table_rows("""
간 년 월 주 일 분 초 개월 주일 달 시간 학기 세기 차례 이닝
여 년 개월 시간 분 주 일 달 명 킬로 미터 킬로미터 톤
경 시 일 월 년 분
째 -
말 년 월 세기 회 분기 학기
초 년 월 세기 회 분기 학기
중 -
전 년 월 일 주 시간 분 초 개월 세기 달 주일 차
후 년 월 일 주 시간 분 초 개월 달 주일
뒤 년 월 일 주 시간 분 초 개월 달 주일
내 년 일 주 시간 분 초 개월 달 주일
당 인 명 개 회 대 건 장 권 병 잔 분 시간 초 일 주 월 년 층 평 그램 킬로그램 킬로 미터 리터
급 톤 군 단 위 층 평
대 원 달러 엔 유로 위안 위 점 도 평 층 번 개 명 퍼센트 프로
형 단 세대
용 인 회 개월
제 부 년 학기 단계 학년
권 위 강
생 년 학년 기
반 년 시 시간 달 개월
동안 -
이상 -
이하 -
미만 -
초과 -
이내 -
가량 -
남짓 -
내외 -
안팎 -
가까이 -
연속 -
간격 -
가운데 -
더 -
모두 -
치 년 월 일 주 개월 달 시간 분 인분 명 사람 회 학기
어치 원 달러 엔 유로 위안 개 명 잔 병
입 개 정 매 포
이후 -
안 년 개월 달 일 시간
께 시 분 일
때 살 년 학년
된 살 년 개월 달 주 일
거리 시간 분
하고 명 개 사람 마리 잔 병 장 권 시간
가족 인
세트 인 종
석 인
아파트 층 평
건물 층
집 층
침대 층 인
버스 층 인
열차 량
대회 회
리그 부
시리즈 부 편
시즌 년
학생 학년
교실 반
방송 부
드라마 부
정상 국
회담 국 자
전쟁 차
혁명 차
산업 차
대전 차
세계대전 차
사업 차
계획 차
시험 차
면접 차
투표 차
접종 차
후보 번
당첨 등
선수 번 호
타자 번
투수 번
도시 대
축제 대
기념 주년 년
슛 점
칸 층
중주 인
중창 인
""")

# nouns that are usual behind 제 and a number: 제3세계; hardly any word begins with a numeral and one of these
ORDINAL_NOUNS = words("""
공화국 여객터미널 외국어 세계 금융권 영역 국민 국가 정당 야당 여당 노총 노조 공장 캠퍼스 본관 별관 청사 터미널 연평해전
경인고속도로 롯데월드 땅굴 함대 연대 야전군 훈련소 금융중심지 고속도로 순환도로 대교 한강교 전시장 전시실 주차장 체육관
경기장 운동장 회의실 강의실 연구소 연구실 도서관 생활관 기숙사 공학관 발전소 부두 원칙 법칙 조건 과제 목표 고향 인생
전성기 도약 건국 물결 부속실 소위원회 분과위원회 교도소 종합운동장
""")

# particles that end a word behind a number, also behind FIRST_PARTICLES
CASE_PARTICLES = [
    *LAST_PARTICLES,
    *words("""
이랑 랑 밖에 조차 마저 치고 요 이서 한테 께서 에게서 에서부터 까지만 이라도 은요 만은 만이 만을
이든 이든지 은커녕 는커녕 에만 에서도 에서만 로도 으로도 보다는 보다도 와는 과는 까지는 까지도 부터는 마다의
"""),
]

# both take, but Sino-Korean ones are more usual
SINO_FIRST = frozenset(
    _COUNTED_BY_GAE
    + words("""
종 등분 쿼터 구 푼 필지 개월 평 동 여 쪽 페이지 층
표 학기 주일 단계 등급 라운드 코스 채널 차로 차선 세기 구역 경기 음절 품목
""")
)

# counters of which a fraction is counted: 2분의 1컵 is 이분의 일 컵
MEASURES = frozenset(words("컵 잔 병 캔 통 그릇 공기 스푼 큰술 작은술 티스푼 숟가락 숟갈 시간 근 되 말"))

# numbers before these are often read digit by digit
DIGIT_COUNTERS = frozenset(words("년 년생 년도 학번 호 호실 번 동 번지 편"))

# 3 and 4 before old measures
OLD_MEASURES = {
    3: table_rows("돈 서\n말 서\n발 서\n푼 서\n냥 석\n되 석\n섬 석\n달 석\n장 석"),
    4: table_rows("돈 너\n말 너\n발 너\n푼 너\n냥 넉\n되 넉\n섬 넉\n달 넉\n장 넉"),
}
